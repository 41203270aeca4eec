/**
 * For the shell: `born_at 123` says when a process started, nothing if there is none. A later process with the same id has another start time; a program
 * that replaced its shell by `exec` has the same.
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
