// The least it can cost here to tell many connections of something: the same bytes, written once to each.
// PORT=... node bareEvents.mjs; GET /events listens, POST /tell sends its body to all who do
import { createServer } from 'node:http'

const listeners = new Set()
const greeting = 'event: connected\ndata: {}\n\n'

const server = createServer((request, response) => {
  if (request.url === '/events') listen(response)
  else if (request.url === '/tell') tell(request, response)
  else response.end('Ready')
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

function listen(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(greeting)
  listeners.add(response)
  response.once('close', () => listeners.delete(response))
}

async function tell(request, response) {
  const bytes = Buffer.concat(await request.toArray())
  response.writeHead(200, { 'content-length': 0 }).end()
  for (const listener of listeners) listener.write(bytes)
}
