import { isIPv4, isIPv6 } from 'node:net'

/** All of what is no address: who sends nonsense through a proxy shares it with everybody who does. */
const UNKNOWN = 'unknown'
/** As some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/**
 * A network address as one visitor, however it is written: IPv4 alone, IPv6 by its /64, which belongs to one household
 * and is full of addresses to choose from.
 * @param address undefined where the connection is gone already
 */
export function addressGroup(address: string | undefined = ''): string {
  const [, bracketed, dotted] = WITH_PORT.exec(address) ?? []
  const [plain = ''] = (bracketed ?? dotted ?? address).split('%')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return UNKNOWN
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** The eight groups of an IPv6 address; as the host of a URL it is hexadecimal throughout. */
function groupsOf(address: string): number[] {
  const halves = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [left = [], right = []] = halves.map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}
