import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createMessageReader } from '#db/embedded/protocol.server.ts'

/** A proxy to PostgreSQL that simulates network failures, and counts statements. */
export type DatabaseProxy = {
  /** URL that connects to the database through this proxy */
  url: string
  /** returns the number of statements that PostgreSQL has completed */
  statements: () => number
  /** closes all open and new connections, like a restarting database */
  disconnect: () => void
  /** accepts connections and bytes but forwards nothing */
  stall: () => void
  /** blocks open connections permanently but accepts new ones, like a firewall that lost its state */
  blackhole: () => void
  /** ends `disconnect` or `stall`: forwards everything again, including buffered bytes */
  restore: () => void
  close: () => Promise<void>
}

const COMMAND_COMPLETE = 'C'.charCodeAt(0)

type Pair = { client: Socket; server: Socket | null }

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  const forgotten = new Set<Pair>()
  let completed = 0
  let state: 'open' | 'cut' | 'hung' = 'open'

  const link = (pair: Pair) => {
    const { client } = pair
    const server = connect(Number(target.port), target.hostname)
    pair.server = server
    client.pipe(server).pipe(client)
    const read = createMessageReader((type) => {
      if (type === COMMAND_COMPLETE) completed++
    })
    server.on('data', read)
    server.on('error', () => client.destroy())
    server.on('close', () => client.destroy())
  }
  const proxy = createServer((client) => {
    if (state === 'cut') return void client.destroy()
    const pair: Pair = { client, server: null }
    pairs.add(pair)
    client.on('error', () => {})
    client.on('close', () => {
      pairs.delete(pair)
      pair.server?.destroy()
    })
    if (state === 'hung') client.pause()
    else link(pair)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`

  const stop = () => {
    for (const { client, server } of pairs) {
      client.unpipe()
      client.pause()
      server?.unpipe()
      server?.pause()
    }
  }
  return {
    url: url.href,
    statements: () => completed,
    disconnect: () => {
      state = 'cut'
      for (const { client } of pairs) client.destroy()
    },
    stall: () => {
      state = 'hung'
      stop()
    },
    blackhole: () => {
      stop()
      for (const pair of pairs) forgotten.add(pair)
      pairs.clear()
    },
    restore: () => {
      state = 'open'
      for (const pair of pairs) {
        if (pair.server === null) link(pair)
        else pair.client.pipe(pair.server).pipe(pair.client)
      }
    },
    close: async () => {
      for (const { client } of [...pairs, ...forgotten]) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
