import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Private and special networks (RFC 6890), and IPv6 networks that embed an IPv4 address. */
const V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const V6 = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const blocked = new BlockList()
for (const [family, networks] of [['ipv4', V4] as const, ['ipv6', V6] as const]) {
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    blocked.addSubnet(address, Number(bits), family)
  }
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  // A `%` marks an IPv6 zone. Such an address is only valid on a local network of this machine.
  if (family === 0 || address.includes('%')) return false
  return !blocked.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Thrown when all addresses of a host name are private. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** Resolves a host name to public addresses. The connection uses the checked address, which prevents DNS rebinding. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const addresses = found.filter(({ address }) => isPublicAddress(address))
    const [first] = addresses
    if (!first) return callback(new PrivateAddressError('not a public address'), [])
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
