import type { FileEntry } from './mp3Files.ts'

/**
 * Remembers what was found out about files until they change; whoever asks for the same at the same time shares one
 * answer. A failure is not remembered: what could not be read now may be readable later.
 * @param limit guards memory: files remembered at once
 */
export function rememberPerFile<T>(limit: number, read: (file: FileEntry) => Promise<T>) {
  const known = new Map<string, { version: string; answer: Promise<T> }>()
  return (file: FileEntry): Promise<T> => {
    const entry = known.get(file.path)
    known.delete(file.path)
    if (entry?.version === file.version) {
      // Asked for again: it goes to the end of the line of those that are let go.
      known.set(file.path, entry)
      return entry.answer
    }
    const fresh = { version: file.version, answer: read(file) }
    known.set(file.path, fresh)
    fresh.answer.catch(() => {
      if (known.get(file.path) === fresh) known.delete(file.path)
    })
    const [oldest] = known.keys()
    if (known.size > limit && oldest !== undefined) known.delete(oldest)
    return fresh.answer
  }
}

/** Guards files that are open, and the disk: so many are looked into at once. */
const AT_ONCE = 4

/** The answers for all files in their order, null where one failed. */
export async function forEachFile<T>(files: FileEntry[], ask: (file: FileEntry) => Promise<T>): Promise<(T | null)[]> {
  const answers: (T | null)[] = files.map(() => null)
  const waiting = files.entries()
  const work = async () => {
    for (const [index, file] of waiting) answers[index] = await ask(file).catch(() => null)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return answers
}
