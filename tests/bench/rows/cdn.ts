import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode, type RequestSpec, sendOnce } from '#tests/bench/connection.ts'
import { measurePipelined } from '#tests/bench/pipelinedLoad.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { freePort } from '#tests/helpers/freePort.ts'
import { startNginx } from '#tests/helpers/nginx.ts'
import { findNginx } from '#tests/setup/nginx.ts'
import { pageRequest, pathsOf } from './pages.ts'

/**
 * Measures nginx with the shipped configuration as the cache of a site that lets it keep pages for a second. It has one
 * worker, on the core of the site, which only renews a page each second. `per s of a core` is what that core could send if
 * the load generator did not limit it.
 */
export async function cachedByNginx(run: Run, site: Server): Promise<void> {
  const program = findNginx()
  if (!program) return run.add('pages cached by nginx', 'nginx cannot be found or downloaded', {})
  const folder = await mkdtemp(join(tmpdir(), 'bench-nginx-'))
  const binding = run.cores ? ['taskset', '-c', String(run.cores.server)] : []
  const { thread } = pathsOf(run)
  const filePort = await serveFile(folder, (await sendOnce(site.port, pageRequest(thread))).body)
  const nginx = await startNginx(program, folder, site.port, binding)
  const small = `/dtpchan/board/${BOARD}/thread/${run.seeded.others.at(-1)}`
  try {
    const { etag = '' } = (await sendOnce(nginx.port, pageRequest(thread))).headers
    const pages: [name: string, spec: RequestSpec, port: number][] = [
      ['thread of 250 posts, brotli', pageRequest(thread), nginx.port],
      ['the same bytes as a file', pageRequest('/thread.html'), filePort],
      ['thread of 4 posts, brotli', pageRequest(small), nginx.port],
      ['thread, 304', pageRequest(thread, 'br', { 'if-none-match': etag }), nginx.port],
    ]
    for (const [name, spec, port] of pages) {
      // The second answer comes from the cache.
      await sendOnce(port, spec)
      const { head, body } = await sendOnce(port, spec)
      const bytes = head.length + 4 + body.length
      const figures = await measurePipelined(port, nginx.child.pid ?? 0, encode(spec), bytes, run.seconds)
      run.add('pages cached by nginx', name, {
        bytes,
        'per s': figures.perSecond,
        'per s of a core': figures.cpu && 1000 / figures.cpu,
        'CPU µs': figures.cpu && figures.cpu * 1000,
        'load, % of core': figures.loadBusy * 100,
      })
    }
  } finally {
    await nginx.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lets nginx also send a file, as the baseline of what it can do. @returns the port */
async function serveFile(folder: string, body: Buffer): Promise<number> {
  const port = await freePort()
  await writeFile(join(folder, 'thread.html'), body)
  await writeFile(join(folder, 'more-file.conf'), `server { listen 127.0.0.1:${port}; root ${folder}; }`)
  return port
}
