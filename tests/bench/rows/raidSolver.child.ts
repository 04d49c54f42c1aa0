import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

process.on('message', async (message: string) => {
  const challenge = JSON.parse(message)
  const solution = await solveChallenge({ challenge, deriveKey, timeout: 300_000 })
  process.send?.(Buffer.from(JSON.stringify({ challenge, solution })).toString('base64'))
})
