import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Marks the build that this process runs as in use, so that a later one does not remove it. A build that cannot be
 * written to, as in the container, stays as it is.
 */
export function markBuild(): void {
  if (import.meta.url.endsWith('.ts')) return
  const mark = fileURLToPath(new URL(`../${process.pid}.pid`, import.meta.url))
  try {
    writeFileSync(mark, '')
  } catch {
    return
  }
  process.once('exit', () => rmSync(mark, { force: true }))
}
