import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks nobody outside reaches, or that lead into such (RFC 6890, and the forms of IPv6 that carry an IPv4). */
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

/** Whether an address is one of the public internet; an IPv4 in IPv6's clothes is looked at as what it is. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  // What carries a zone is of this machine's own links.
  if (family === 0 || address.includes('%')) return false
  return !blocked.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** A name led to no address that may be asked. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/**
 * Finds the addresses of a name as connections do, and gives only public ones: what is checked is what is connected to,
 * so a name that changes its mind in between gains nothing.
 */
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
