import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Marks this build as in use, so that later builds do not delete it. A read-only build is never deleted. */
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
