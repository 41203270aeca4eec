/**
 * For the shell: `born_at 123` says when a process started, nothing if there is none. Another that got the same id later started at another time; a program
 * that takes the place of its shell by `exec` did not.
 */
export const bornAt = `
born_at() {
  if [ -e /proc/self/stat ]; then
    read -r stat <"/proc/$1/stat" || return
    set -- \${stat##*) }
    echo "\${20}"
  else
    echo $(LC_ALL=C ps -o lstart= -p "$1")
  fi
}
`
