/** The only script of the page: a button copies the command next to it. Pages opened from a disk may have no clipboard, so it can select as well. */
export const copyScript = `document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]')
  if (!button) return
  const code = button.previousElementSibling
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(code)
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected'
  }
})`
