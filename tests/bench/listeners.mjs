// Many listeners of one stream in one process: read, throw away, and watch the time between any two pieces.
// node listeners.mjs PORT PATH COUNT; says {"ready":…} when all have sound, and its figures at SIGTERM.
import { connect } from 'node:net'

const [port, path, count] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])]
/** So many connections a second: a crowd, but not one that the system's own queue would refuse. */
const PER_SECOND = 200
const firstMs = []
const listeners = []
let bytes = 0
let lost = 0
let again = 0
let worstGapMs = 0
let measuring = false

function listen() {
  const listener = { heardAt: 0 }
  const start = performance.now()
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`))
  socket.on('data', (chunk) => {
    const now = performance.now()
    bytes += chunk.length
    if (listener.heardAt === 0) {
      // Some servers send the head alone at first.
      if (chunk.length < 1000) return
      firstMs.push(now - start)
      if (firstMs.length === count) process.stdout.write(`${JSON.stringify({ ready: count })}\n`)
    } else if (measuring) worstGapMs = Math.max(worstGapMs, now - listener.heardAt)
    listener.heardAt = now
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (listener.heardAt > 0) {
      lost++
      return
    }
    // Refused at the door, as a crowd can be: it comes again.
    listeners.splice(listeners.indexOf(listener), 1)
    again++
    setTimeout(listen, 200)
  })
  listeners.push(listener)
}

let begun = 0
const timer = setInterval(() => {
  for (let number = 0; number < PER_SECOND / 50 && begun < count; number++, begun++) listen()
  if (begun === count) clearInterval(timer)
}, 20)

process.on('SIGUSR2', () => {
  measuring = true
  bytes = 0
  const now = performance.now()
  for (const listener of listeners) if (listener.heardAt > 0) listener.heardAt = now
})
process.on('SIGTERM', () => {
  const now = performance.now()
  // Those who hear nothing any more are the worst of all.
  for (const { heardAt } of listeners) if (heardAt > 0) worstGapMs = Math.max(worstGapMs, now - heardAt)
  firstMs.sort((a, b) => a - b)
  const at = (share) => firstMs[Math.ceil(firstMs.length * share) - 1] ?? null
  const figures = { heard: firstMs.length, lost, again, bytes, worstGapMs, firstP50: at(0.5), firstP99: at(0.99) }
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0))
})
