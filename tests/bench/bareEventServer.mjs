// Baseline: a server that writes the same bytes to many connections.
// Usage: PORT=... node bareEventServer.mjs; GET /events subscribes, POST /publish sends its body to all subscribers
import { createServer } from 'node:http'

const subscribers = new Set()
const greeting = 'event: connected\ndata: {}\n\n'

const server = createServer((request, response) => {
  if (request.url === '/events') subscribe(response)
  else if (request.url === '/publish') publish(request, response)
  else response.end('Ready')
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

function subscribe(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(greeting)
  subscribers.add(response)
  response.once('close', () => subscribers.delete(response))
}

async function publish(request, response) {
  const bytes = Buffer.concat(await request.toArray())
  response.writeHead(200, { 'content-length': 0 }).end()
  for (const subscriber of subscribers) subscriber.write(bytes)
}
