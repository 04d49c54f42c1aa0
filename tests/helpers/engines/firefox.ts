import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from './session.ts'

type Answer = { error: { message: string } | null; result: unknown }

/** Port 0 takes a free port. Tests start sound with a click, as visitors do. */
const PREFERENCES = `user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
`

/**
 * Starts Firefox without windows. Debian has no geckodriver, so this speaks Marionette, to which geckodriver translates
 * the commands of WebDriver.
 */
export async function startFirefox(program: string): Promise<Session> {
  const profile = await mkdtemp(join(tmpdir(), 'dtp-firefox-'))
  await writeFile(join(profile, 'user.js'), PREFERENCES)
  const browser = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    env: { ...process.env, HOME: profile },
    stdio: 'ignore',
  })
  const exited = once(browser, 'exit')
  const { send, socket } = await connectMarionette(join(profile, 'MarionetteActivePort'))
  await send('WebDriver:NewSession', { capabilities: { alwaysMatch: { unhandledPromptBehavior: 'accept' } } })
  return {
    send: async (name, params) => {
      const result = await send(`WebDriver:${name}`, params)
      return result && typeof result === 'object' && 'value' in result ? result.value : result
    },
    close: async () => {
      await send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => browser.kill('SIGKILL'))
      await exited
      socket.destroy()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** @param portFile where Firefox writes its port when it is ready */
async function connectMarionette(portFile: string) {
  const deadline = Date.now() + 60_000
  let port = 0
  while (!port) {
    if (Date.now() > deadline) throw new Error('Firefox did not open a port for its driver within a minute.')
    await sleep(50)
    port = Number(await readFile(portFile, 'utf8').catch(() => 0))
  }
  const socket = connect(port, '127.0.0.1')
  const waiting = new Map<number, (answer: Answer) => void>()
  readMessages(socket, (message) => {
    // The first message is a greeting.
    if (!Array.isArray(message)) return
    const [, id, error, result] = message
    waiting.get(id)?.({ error, result })
    waiting.delete(id)
  })
  socket.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'Firefox closed the connection' }, result: null })
  })
  let last = 0
  const send = async (name: string, params: object): Promise<unknown> => {
    const id = ++last
    const text = JSON.stringify([0, id, name, params])
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const { error, result } = await answered
    if (error) throw new Error(`${name}: ${error.message}`)
    return result
  }
  return { socket, send }
}

/** Parses messages such as `5:[1,2]`: their length in bytes, a colon, and JSON. */
function readMessages(socket: Socket, onMessage: (message: unknown) => void): void {
  let received = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.toString('latin1', 0, colon))
      if (colon < 0 || received.length < end) return
      onMessage(JSON.parse(received.toString('utf8', colon + 1, end)))
      received = received.subarray(end)
    }
  })
}
