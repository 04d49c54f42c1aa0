// Requests /healthz at a fixed rate. Runs in a separate thread, so that the load generator does not delay requests.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { port, everyMs, timeoutMs } = workerData
const agent = new Agent({ keepAlive: true })
const times = []
let isOver = false

/** Resolves to the response status, or to 0 if the connection failed. */
const probe = () =>
  new Promise((resolve) => {
    get({ port, path: '/healthz', agent, timeout: timeoutMs }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode))
    })
      .on('timeout', function () {
        this.destroy()
      })
      .on('error', () => resolve(0))
  })

parentPort.once('message', () => {
  isOver = true
})
while (!isOver) {
  const start = performance.now()
  times.push((await probe()) === 200 ? performance.now() - start : timeoutMs)
  await sleep(everyMs)
}
agent.destroy()
parentPort.postMessage(times)
