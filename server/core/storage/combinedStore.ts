import type { FileStore, StoredFile } from './fileStore.ts'

/**
 * Combines two stores while files are moved from `previous` to `current`. New files go to `current`.
 *
 * Files are removed and renamed in `previous` first: a file that is being copied then either disappears before the mover
 * looks for it again, or is in `current` by the time it is removed there.
 */
export function combineStores(current: FileStore, previous: FileStore): FileStore {
  const both = async (change: (store: FileStore) => Promise<void>) => {
    await change(previous)
    await change(current)
  }
  const inBoth = (method: 'remove' | 'withhold' | 'release') => async (names: Iterable<string>) => {
    const all = [...names]
    await both((store) => store[method](all))
  }

  /** Looks in `current` again at the end, because the file may have been moved meanwhile. */
  async function find<T>(look: (store: FileStore) => Promise<T | null>): Promise<T | null> {
    return (await look(current)) ?? (await look(previous)) ?? look(current)
  }

  return {
    isShared: current.isShared,
    put: current.put,
    async open(name) {
      const file = await find((store) => store.open(name))
      const stream: StoredFile['stream'] = async (range) =>
        (await file?.stream(range)) ?? find(async (store) => (await (await store.open(name))?.stream(range)) ?? null)
      return file && { ...file, stream }
    },
    read: (name) => find((store) => store.read(name)),
    remove: inBoth('remove'),
    withhold: inBoth('withhold'),
    release: inBoth('release'),
    // Lists `previous` first: the other way round, files that are moved meanwhile would be missing.
    async *list() {
      const listed = new Set<string>()
      for await (const file of previous.list()) {
        listed.add(file.name)
        yield file
      }
      for await (const file of current.list()) if (!listed.has(file.name)) yield file
    },
    clearTemporary: (minAgeMs) => both((store) => store.clearTemporary(minAgeMs)),
    check: () => both((store) => store.check()),
  }
}
