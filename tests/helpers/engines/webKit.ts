import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/helpers/freePort.ts'
import type { WebKitPrograms } from '#tests/setup/engines.ts'
import type { Commands, Session } from './session.ts'

/** Limits a command, because some never end: the page waits for the driver, and the driver for the page. */
const COMMAND_MS = 30_000

/** Path of each command, all sent with POST. `{id}` is an element. */
const ENDPOINTS: Record<keyof Commands, string> = {
  Navigate: '/url',
  Back: '/back',
  Refresh: '/refresh',
  ExecuteScript: '/execute/sync',
  ElementClick: '/element/{id}/click',
  ElementSendKeys: '/element/{id}/value',
  PerformActions: '/actions',
  SetWindowRect: '/window/rect',
}

/** Starts WebKitGTK's small browser on a display in memory. */
export async function startWebKit({ driver, browser, display }: WebKitPrograms): Promise<Session> {
  const home = await mkdtemp(join(tmpdir(), 'dtp-webkit-'))
  const screen = await startDisplay(display)
  const port = await freePort()
  const service = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, DISPLAY: screen.name, LANG: 'C.UTF-8' },
    stdio: 'ignore',
  })
  const exited = once(service, 'exit')
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin)
  const browserOptions = { binary: browser, args: ['--automation'] }
  const capabilities = {
    alwaysMatch: { 'webkitgtk:browserOptions': browserOptions, unhandledPromptBehavior: 'accept' },
  }
  const { sessionId } = (await call('POST', `${origin}/session`, { capabilities })) as { sessionId: string }
  const session = `${origin}/session/${sessionId}`
  return {
    send: (name, params) => {
      const { id = '', ...body } = params as { id?: string }
      return call('POST', session + ENDPOINTS[name].replace('{id}', id), body)
    },
    close: async () => {
      await call('DELETE', session).catch(() => undefined)
      service.kill()
      await exited
      await screen.close()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const signal = AbortSignal.timeout(COMMAND_MS)
  const answer = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await answer.json()) as { value: { message?: string; error?: string } | null }
  if (!answer.ok) throw new Error(`${new URL(url).pathname}: ${value?.error}: ${value?.message}`)
  return value
}

async function waitUntilReady(origin: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await fetch(`${origin}/status`).catch(() => null))) {
    if (Date.now() > deadline) throw new Error('WebKitWebDriver did not open its port within 30 seconds.')
    await sleep(50)
  }
}

/** Starts an X server with a free number, which it reports on its third file descriptor. */
async function startDisplay(program: string) {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
  const server: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const exited = once(server, 'exit')
  const [number] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  return {
    name: `:${String(number).trim()}`,
    close: async () => {
      server.kill()
      await exited
    },
  }
}
