import { describe, expect, test } from 'vitest'
import { defaultSite, siteSchema } from '#src/contract/site.ts'

describe('community settings', () => {
  test('merges partial settings with the defaults', () => {
    const site = siteSchema.parse({ tagline: ' Solder first. ', about: { mission: ['Fix it.'] } })
    expect(site).toEqual({
      ...defaultSite,
      tagline: 'Solder first.',
      about: { ...defaultSite.about, mission: ['Fix it.'] },
    })
  })

  test.each([
    ['tagline', { tagline: ' ' }],
    ['tagline', { tagline: 'x'.repeat(151) }],
    ['description', { description: '' }],
    ['description', { description: 'x'.repeat(501) }],
    ['about.story', { about: { story: [] } }],
    ['about.story', { about: { story: 'one text' } }],
    ['about.story.0', { about: { story: ['x'.repeat(1001)] } }],
    ['about.mission', { about: { mission: Array(11).fill('x') } }],
    ['chatUrl', { chatUrl: 'javascript:alert(1)' }],
    ['irc.channels.main', { irc: { channels: { main: 'main' } } }],
    ['irc.port', { irc: { port: 0 } }],
  ])('names the wrong field: %s %j', (path, given) => {
    const issues = siteSchema.safeParse(given).error?.issues ?? []
    expect(issues.map((issue) => issue.path.join('.'))).toEqual([path])
  })
})
