/**
 * Remembers what happens while something is read, for it may be missing in what is read: numbers of events are given
 * before they are visible, so that an event of a lower number than the last one read may be newer than the read.
 */
export function createReads<Event>() {
  const underWay = new Set<Event[]>()
  return {
    note(event: Event): void {
      for (const events of underWay) events.push(event)
    },
    /** Returns what was read, and all that happened since it was asked for, in its order. */
    async read<Read>(read: () => Promise<Read>): Promise<{ read: Read; during: Event[] }> {
      const during: Event[] = []
      underWay.add(during)
      try {
        return { read: await read(), during }
      } finally {
        underWay.delete(during)
      }
    },
  }
}
