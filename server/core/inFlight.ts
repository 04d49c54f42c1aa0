import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from './addressGroup.ts'
import { errors, errorTexts } from './errors.ts'

const MiB = 1024 * 1024
/** Guards memory: bytes of bodies kept at the same time, over all requests. */
const ALL_BYTES = 192 * MiB
/** Guards the others: with a few large uploads that never end, one address could take all of it. */
const BYTES_OF_ONE_ADDRESS = 48 * MiB

/** What is kept of one request's body. */
export type Holding = {
  /** @throws AppError 503 when that would be too much over all requests or of this address */
  take(bytes: number): void
}

let all = 0
const ofEach = new Map<string, number>()
const holdings = new WeakMap<ServerResponse, Holding>()

/** Bytes of bodies that are kept now. */
export const bytesInFlight = (): number => all

/** Counts what is kept of a request's body until its answer has ended, in whatever way. */
export function holdingOf(request: FastifyRequest, reply: FastifyReply): Holding {
  const known = holdings.get(reply.raw)
  if (known) return known
  // Its end was told already and would never come: the client is gone.
  if (reply.raw.closed) throw errors.badRequest(errorTexts.badRequest)
  const address = addressGroup(request.ip)
  let own = 0
  reply.raw.once('close', () => give(address, -own))
  const holding: Holding = {
    take(bytes) {
      const ofAddress = ofEach.get(address) ?? 0
      if (all + bytes > ALL_BYTES || ofAddress + bytes > BYTES_OF_ONE_ADDRESS || reply.raw.closed) {
        throw errors.unavailable(errorTexts.unavailable)
      }
      own += bytes
      give(address, bytes)
    },
  }
  holdings.set(reply.raw, holding)
  return holding
}

function give(address: string, bytes: number): void {
  const left = (ofEach.get(address) ?? 0) + bytes
  all += bytes
  if (left > 0) ofEach.set(address, left)
  else ofEach.delete(address)
}
