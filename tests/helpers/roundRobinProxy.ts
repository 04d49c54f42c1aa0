import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type RoundRobinProxy = { origin: string; port: number; close: () => Promise<void> }

/** Starts a proxy that passes each connection to the next server, and to another one if it refuses the connection. */
export async function startRoundRobinProxy(origins: string[]): Promise<RoundRobinProxy> {
  const ports = origins.map((origin) => Number(new URL(origin).port))
  const sockets = new Set<Socket>()
  let next = 0

  async function open(): Promise<Socket | null> {
    for (let attempt = 0; attempt < ports.length; attempt++) {
      const upstream = connect(ports[next++ % ports.length] as number, '127.0.0.1')
      upstream.on('error', () => {})
      const isOpen = await once(upstream, 'connect').then(
        () => true,
        () => false,
      )
      if (isOpen) return upstream
    }
    return null
  }

  const server = createServer(async (client) => {
    sockets.add(client)
    client.on('error', () => {})
    const upstream = await open()
    if (!upstream || client.destroyed) {
      upstream?.destroy()
      return void client.destroy()
    }
    client.once('close', () => {
      sockets.delete(client)
      upstream.destroy()
    })
    upstream.once('close', () => client.destroy())
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
