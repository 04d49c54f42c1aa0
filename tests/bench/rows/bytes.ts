import { sendOnce } from '#tests/bench/connection.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD, POSTS } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { pageRequest, pathsOf } from './pages.ts'
import { createPaste } from './pastes.ts'

const ENCODINGS = ['identity', 'gzip', 'br']

/** Measures the size of each page type in every encoding. */
export async function pageBytes(run: Run, site: Server): Promise<void> {
  const { home, board, thread } = pathsOf(run)
  const kinds: Record<string, string> = {
    home,
    boards: '/dtpchan',
    [`board ${BOARD}`]: board,
    [`thread of ${POSTS} posts`]: thread,
    news: '/today-in-tech',
    programs: '/programs-we-love',
    archive: '/archive',
    about: '/about',
    'paste of 1 kB': `/paste/${await createPaste(site, 1000, 0)}`,
  }
  for (const [name, path] of Object.entries(kinds)) {
    const bytes: Record<string, number | null> = {}
    for (const encoding of ENCODINGS) {
      const { status, headers, body } = await sendOnce(site.port, pageRequest(path, encoding))
      if (status !== 200) throw new Error(`${path}: ${status}`)
      bytes[encoding] = (headers['content-encoding'] ?? 'identity') === encoding ? body.length : null
    }
    run.add('bytes of pages', name, bytes)
  }
}
