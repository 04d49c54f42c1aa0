import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createFetcher } from '#server/core/http/fetcher.ts'
import { encodeMessage, followHost, type HostMessage } from '#server/features/radio/mix/processes/followHost.ts'
import { startPausedServer } from '#tests/helpers/pausedServer.ts'

test('follows a host although the first packet of the connection is lost', async () => {
  const paused = await startPausedServer()
  const fetcher = createFetcher()
  const live = { sound: { stop: vi.fn() }, setRemoteState: vi.fn() } as never
  try {
    const host = { process: 'host', url: paused.url }
    const followed = followHost({ live, fetcher }, host, 'Bearer token', new AbortController().signal, () => {})
    setTimeout(paused.resume, 500)
    await expect(followed).rejects.toThrow('the connection ended')
  } finally {
    await fetcher.close()
    paused.stop()
  }
})

/** Follows a host that sends these parts. @returns the changes of the sound before the connection ended, and why it did */
async function follow(parts: Buffer[]) {
  const server = createServer(async (_request, response) => {
    for (const part of parts) {
      response.write(part)
      await setImmediate()
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fetcher = createFetcher()
  const sound = { stop: vi.fn(), apply: vi.fn() }
  const live = { sound, setRemoteState: vi.fn() } as never
  const host = { process: 'host', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const reason = await followHost(
    { live, fetcher },
    host,
    'Bearer token',
    new AbortController().signal,
    () => {},
  ).catch(({ message }: Error) => message)
  await fetcher.close()
  server.close()
  return { changes: sound.apply.mock.calls.map(([change]) => change), reason }
}

test('reads messages however they are split', async () => {
  const frame = { bytes: Buffer.from('sound'), seconds: 0.02, format: 'AAC' }
  const messages: HostMessage[] = [
    { kind: 'start', format: 'AAC' },
    { kind: 'frames', frames: [frame, frame], isPast: false },
    { kind: 'interrupt' },
  ]
  const bytes = Buffer.concat(messages.map(encodeMessage))
  const answer = { changes: messages, reason: 'the connection ended' }
  expect(await follow([bytes])).toEqual(answer)
  expect(await follow([...bytes].map((byte) => Buffer.of(byte)))).toEqual(answer)
})

test('leaves a host of another version, which sends something else', async () => {
  const parts = [Buffer.from(`${JSON.stringify({ json: { kind: 'ping' } })}\n`)]
  expect(await follow(parts)).toEqual({ changes: [], reason: 'a message is too long' })
})
