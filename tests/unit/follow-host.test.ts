import { expect, test, vi } from 'vitest'
import { createFetcher } from '#server/core/http/fetcher.ts'
import { followHost } from '#server/features/radio/mix/processes/followHost.ts'
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
