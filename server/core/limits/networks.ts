import { isIPv4, isIPv6 } from 'node:net'

const UNKNOWN = 'unknown'
/** Some proxies send the address with a port. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/** Providers assign a /56 to homes and a /48 to companies. Their limits are `share` times those of a /64. */
const WIDER_NETWORKS = [
  { bits: 56, share: 2 },
  { bits: 48, share: 8 },
]

/** A network with its own limits: `share` times the limits of one visitor. */
export type Network = { key: string; share: number }

/** Returns the IPv4 address, or the /64 of an IPv6 address. @param address undefined if the connection has closed */
export function visitorNetwork(address: string | undefined = ''): string {
  const groups = parseAddress(address)
  return typeof groups === 'string' ? groups : formatPrefix(groups, 64)
}

/** Returns the /24 of an IPv4 address or the /48 of an IPv6 address, or null if the address is unknown. */
export function rangeOf(address: string): string | null {
  const groups = parseAddress(address)
  if (groups === UNKNOWN) return null
  return typeof groups === 'string' ? groups.replace(/\d+$/, '0/24') : `${formatPrefix(groups, 48)}/48`
}

export function networksOf(address: string | undefined = ''): Network[] {
  const groups = parseAddress(address)
  if (typeof groups === 'string') return [{ key: groups, share: 1 }]
  const wider = WIDER_NETWORKS.map(({ bits, share }) => ({ key: `${formatPrefix(groups, bits)}/${bits}`, share }))
  return [{ key: formatPrefix(groups, 64), share: 1 }, ...wider]
}

export const widestNetworkOf = (address: string): string => networksOf(address).at(-1)?.key ?? UNKNOWN

function parseAddress(address: string): string | number[] {
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? []
  const [plain = ''] = (bracketed ?? dotted ?? address).split('%')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return UNKNOWN
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.') : groups
}

function groupsOf(address: string): number[] {
  const halves = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [left = [], right = []] = halves.map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/** Formats the first `bits` (48 to 64) of an IPv6 address as four groups. Sets the other bits to zero. */
function formatPrefix(groups: number[], bits: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = groups
  return [a, b, c, d & (0xffff << (64 - bits))].map((group) => (group & 0xffff).toString(16)).join(':')
}
