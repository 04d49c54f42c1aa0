import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

/** Answers requests, and keeps at most two unaccepted connections. */
const SERVER = `
const server = require('node:http').createServer((_request, response) => response.end())
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`

export type PausedServer = { url: string; resume: () => void; stop: () => void }

/** Starts a server that loses requests for connections until `resume`. Linux repeats them after one and three seconds. */
export async function startPausedServer(): Promise<PausedServer> {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const fillers = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
  await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')))
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    resume: () => void child.kill('SIGCONT'),
    stop() {
      child.kill('SIGKILL')
      for (const socket of fillers) socket.destroy()
    },
  }
}
