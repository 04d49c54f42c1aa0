// The least a call can cost here: the framework, a route and a small object as JSON.
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({
  success: true,
  paste: { id: 'AAAAAAAAAAAAAAAAAAAAAA', content: 'A small text', language: null, createdAt: new Date(), views: 1 },
}))
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`Ready at ${address}\n`)
process.on('SIGTERM', () => process.exit(0))
