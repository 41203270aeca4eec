const byId = (id) => document.getElementById(id)
const [user, list, moreSessions, title, messages, status, ask, text] = [
  'user',
  'sessions',
  'more-sessions',
  'title',
  'messages',
  'status',
  'ask',
  'text',
].map(byId)
const mostTries = 10

let session = location.hash.slice(1) || crypto.randomUUID()
let busy = false
let working = Promise.resolve('')
user.value = localStorage.getItem('user') ?? 'wang'

function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props)
  element.append(...children)
  return element
}

const quiet = (label, title, onclick) => make('button', { type: 'button', className: 'quiet', title, onclick }, label)

function call(path, body) {
  const headers = { 'x-user': user.value, 'content-type': 'application/json' }
  return fetch(path, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })
}

async function callJson(path, body) {
  const response = await call(path, body)
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.message), { status: response.status })
  return answer
}

async function showSidebar(cursor = null) {
  const page = await callJson(`/api/sessions${cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`}`)
  const items = page.sessions.map(({ id, title, updatedAt }) => {
    const button = make('button', { type: 'button', title: new Date(updatedAt).toLocaleString() }, title ?? 'Untitled')
    button.onclick = () => open(id)
    if (id === session) button.setAttribute('aria-current', 'true')
    return make('li', {}, button)
  })
  if (cursor === null) list.replaceChildren(...items)
  else list.append(...items)
  moreSessions.hidden = page.cursor === null
  moreSessions.onclick = () => run(() => showSidebar(page.cursor))
}

async function showConversation() {
  const path = `/api/sessions/${session}`
  const page = await callJson(path).catch((error) => {
    if (error.status === 404) return { title: null, messages: [], more: false }
    throw error
  })
  title.textContent = page.title ?? 'New conversation'
  messages.replaceChildren(...page.messages.map((shown) => showMessage(shown)))
  if (page.more) messages.prepend(olderButton(path, page.messages[0].seq))
  messages.scrollTop = messages.scrollHeight
}

function olderButton(path, before) {
  const button = quiet('Show older messages', '', () =>
    run(async () => {
      const page = await callJson(`${path}?before=${before}`)
      button.replaceWith(...page.messages.map((shown) => showMessage(shown)))
      if (page.more) messages.prepend(olderButton(path, page.messages[0].seq))
    }),
  )
  return button
}

function showMessage({ seq, message, alternatives }, readOnly = false) {
  const article = make('article', { className: message.role })
  showParts(article, message.parts)
  const footer = make('footer')
  const { earlier, worker } = message.metadata ?? {}
  if (earlier) {
    const query = new URLSearchParams(earlier)
    footer.append(
      quiet('Show what this summary stands for', '', () =>
        run(async () => {
          const page = await callJson(`/api/sessions/${session}?${query}`)
          article.replaceWith(...page.messages.map((shown) => showMessage(shown, true)))
        }),
      ),
    )
  } else if (!readOnly) {
    const at = alternatives.indexOf(seq)
    if (alternatives.length > 1) {
      const previous = quiet('‹', 'Show the one before', () => showAlternative(alternatives[at - 1]))
      const next = quiet('›', 'Show the one after', () => showAlternative(alternatives[at + 1]))
      previous.disabled = at === 0
      next.disabled = at === alternatives.length - 1
      footer.append(previous, `${at + 1}/${alternatives.length}`, next)
    }
    if (message.role === 'user') footer.append(quiet('Edit', 'Write it differently', () => edit(article, seq, message)))
    else footer.append(quiet('Regenerate', 'Ask for another answer', () => take({ replaces: seq }, article)))
  }
  if (worker) footer.append(`worker ${worker}`)
  article.append(footer)
  return article
}

function showParts(article, parts) {
  const elements = parts.flatMap((part) => {
    if (part.type === 'text') return [make('div', { className: 'text' }, part.text)]
    if (!part.type.startsWith('tool-')) return []
    const output = part.output === undefined ? '…' : JSON.stringify(part.output)
    return [make('div', { className: 'tool' }, `${part.type.slice(5)} ${JSON.stringify(part.input)} → ${output}`)]
  })
  article.replaceChildren(...elements)
}

function edit(article, seq, message) {
  const area = make('textarea', { rows: 2, value: message.parts.map((part) => part.text ?? '').join('') })
  const form = make('form', {}, area, make('button', { type: 'submit' }, 'Send'))
  const cancel = make('button', { type: 'button', onclick: () => run(showConversation) }, 'Cancel')
  form.append(cancel)
  form.onsubmit = (event) => {
    event.preventDefault()
    if (area.value.trim() !== '') void take({ text: area.value, replaces: seq }, article)
  }
  article.replaceChildren(form)
  area.focus()
}

const showAlternative = (seq) =>
  run(async () => {
    await callJson(`/api/sessions/${session}/shown`, { seq })
    await showConversation()
  })

/** Sends a turn until it is answered. Each try has the same request id, so it is answered once. */
const take = (turn, from) =>
  run(async () => {
    const body = { ...turn, requestId: crypto.randomUUID() }
    while (from?.nextSibling) from.nextSibling.remove()
    from?.remove()
    if (turn.text) messages.append(draft('user', [{ type: 'text', text: turn.text }]))
    const answer = draft('assistant', [])
    messages.append(answer)
    for (let attempt = 1; ; attempt++) {
      try {
        await readAnswer(await call(`/api/sessions/${session}/turns`, body), answer)
        break
      } catch (error) {
        if (error.final || attempt === mostTries) {
          await showConversation()
          throw error
        }
        status.textContent = `${error.message}. Trying again…`
        await new Promise((resolve) => setTimeout(resolve, 300 * attempt))
      }
    }
    await Promise.all([showConversation(), showSidebar()])
  })

function draft(role, parts) {
  const article = make('article', { className: role })
  showParts(article, parts)
  return article
}

async function readAnswer(response, article) {
  if (!response.ok) {
    const { message } = await response.json()
    throw Object.assign(new Error(message), { final: response.status < 500 })
  }
  status.textContent = `Worker ${response.headers.get('x-worker')} answers…`
  const parts = []
  let rest = ''
  let finished = false
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n')
    rest = events.pop()
    for (const event of events) {
      const data = event.slice('data: '.length)
      const chunk = data === '[DONE]' ? { type: 'done' } : JSON.parse(data)
      if (chunk.type === 'error') throw new Error(chunk.errorText)
      finished ||= chunk.type === 'finish'
      addChunk(parts, chunk)
    }
    showParts(article, parts)
    messages.scrollTop = messages.scrollHeight
  }
  if (!finished) throw new Error('The answer was cut off')
}

function addChunk(parts, chunk) {
  if (chunk.type === 'text-start') parts.push({ type: 'text', text: '' })
  else if (chunk.type === 'text-delta') parts.at(-1).text += chunk.delta
  else if (chunk.type === 'tool-input-available') {
    parts.push({ type: `tool-${chunk.toolName}`, toolCallId: chunk.toolCallId, input: chunk.input })
  } else if (chunk.type === 'tool-output-available') {
    parts.find(({ toolCallId }) => toolCallId === chunk.toolCallId).output = chunk.output
  }
}

/** One thing at a time; what goes wrong is told below the messages. */
async function run(work) {
  if (busy) return
  busy = true
  status.textContent = ''
  working = work()
    .then(() => '')
    .catch((error) => error.message)
  status.textContent = await working
  busy = false
}

function open(id) {
  if (busy) return
  session = id
  history.replaceState(null, '', `#${id}`)
  text.focus()
  void run(() => Promise.all([showConversation(), showSidebar()]))
}

ask.onsubmit = async (event) => {
  event.preventDefault()
  const value = text.value.trim()
  if (value === '') return
  text.value = ''
  while (busy) await working
  history.replaceState(null, '', `#${session}`)
  await take({ text: value })
}
text.onkeydown = (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  ask.requestSubmit()
}
user.onchange = () => {
  localStorage.setItem('user', user.value)
  open(crypto.randomUUID())
}
byId('new').onclick = () => open(crypto.randomUUID())
open(session)
