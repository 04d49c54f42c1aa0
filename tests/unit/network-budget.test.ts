import { describe, expect, test } from 'vitest'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import { networksOf } from '#server/core/limits/networks.ts'

describe('the networks of an address', () => {
  test('are the address itself for IPv4', () => {
    expect(networksOf('::ffff:192.0.2.7')).toEqual([{ key: '192.0.2.7', share: 1 }])
  })

  test('are the /64, the /56 and the /48 for IPv6', () => {
    expect(networksOf('2001:db8:1:23ff::9')).toEqual([
      { key: '2001:db8:1:23ff', share: 1 },
      { key: '2001:db8:1:2300/56', share: 2 },
      { key: '2001:db8:1:0/48', share: 8 },
    ])
  })

  test('are the same for everything that is not an address', () => {
    expect(networksOf('nonsense')).toEqual(networksOf(undefined))
  })
})

describe('a network budget', () => {
  test('refuses more than the share of one visitor, and accepts it again once it is returned', () => {
    const budget = createNetworkBudget({ perNetwork: 10 })
    const give = budget.take('192.0.2.7', 8)
    expect(budget.take('192.0.2.7', 3)).toBeNull()
    expect(budget.take('192.0.2.8', 3)).not.toBeNull()
    give?.()
    give?.()
    expect(budget.total()).toBe(3)
    expect(budget.take('192.0.2.7', 10)).not.toBeNull()
  })

  test.each([
    ['/56', 2, (index: number) => `2001:db8:0:10${index.toString(16).padStart(2, '0')}::1`],
    ['/48', 8, (index: number) => `2001:db8:0:${index.toString(16)}00::1`],
  ])('bounds a whole IPv6 %s', (_name, share, addressAt) => {
    const budget = createNetworkBudget({ perNetwork: 1 })
    const taken = Array.from({ length: 20 }, (_, index) => budget.take(addressAt(index)))
    expect(taken.filter(Boolean)).toHaveLength(share)
  })

  test('reserves nothing when it refuses', () => {
    const budget = createNetworkBudget({ perNetwork: 1, total: 5 })
    for (let index = 0; index < 20; index++) budget.take(`2001:db8:0:100${index % 10}::1`)
    expect(budget.total()).toBe(2)
    expect(budget.take('2001:db8:0:2000::1')).not.toBeNull()
  })

  test('limits all visitors together', () => {
    const budget = createNetworkBudget({ perNetwork: 5, total: 7 })
    expect(budget.take('192.0.2.1', 5)).not.toBeNull()
    expect(budget.take('192.0.2.2', 5)).toBeNull()
    expect(budget.take('192.0.2.2', 2)).not.toBeNull()
  })
})
