// A thread that asks for /healthz at a steady pace, so that the load beside it does not delay its clock.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { port, everyMs, timeoutMs } = workerData
const agent = new Agent({ keepAlive: true })
const times = []
let isOver = false

/** Resolves with the status of an answer, 0 when the connection failed. */
const ask = () =>
  new Promise((resolve) => {
    get({ port, path: '/healthz', agent, timeout: timeoutMs }, (answer) => {
      answer.resume()
      answer.on('close', () => resolve(answer.statusCode))
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
  times.push((await ask()) === 200 ? performance.now() - start : timeoutMs)
  await sleep(everyMs)
}
agent.destroy()
parentPort.postMessage(times)
