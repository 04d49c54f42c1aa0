// Baseline: a Fastify server that sends files from memory with some headers.
// Usage: PORT=... node bareServer.mjs MANIFEST (a JSON list of {path, status, headers, file})
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => 'Ready')
for (const { path, status, headers, file } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const body = file ? readFileSync(file) : undefined
  app.get(path, (_request, reply) => reply.code(status).headers(headers).send(body))
}
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
