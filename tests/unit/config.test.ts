import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { settingNames } from '#tests/helpers/settingNames.ts'

describe('site URL', () => {
  it.each([
    ['https://example.org', 'https://example.org'],
    ['https://Example.org:443/', 'https://example.org'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['', 'http://localhost:3000'],
  ])('accepts %s', (given, siteUrl) => {
    expect(readConfig({ SITE_URL: given }).siteUrl).toBe(siteUrl)
  })

  it.each([
    'https://example.org/path',
    'https://example.org//',
    'https://example.org?x=1',
    'https://example.org/?',
    'https://example.org#there',
    'https://user:password@example.org',
    'ftp://example.org',
    'example.org',
    'javascript:alert(1)',
  ])('rejects %s', (given) => {
    expect(() => readConfig({ SITE_URL: given })).toThrow(
      /^Setting SITE_URL is wrong: must be an origin like https:\/\/example\.org: http or https, without path/,
    )
  })
})

it.each([
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL is wrong: must be a URL like postgres://user:password@host:5432/name'],
  [{ RADIO_URL: 'radio' }, 'RADIO_URL is wrong: must be a URL that begins with http://'],
  [{ NEWS_FEEDS: 'https://a.example/feed,b' }, 'NEWS_FEEDS is wrong: must be a URL that begins with http://'],
  [{ SHOW_BOARD: '/shows/' }, 'SHOW_BOARD is wrong: must be the id of a board, as in its URL'],
  [{ PORT: 'web' }, 'PORT is wrong: must be a whole number from 0 to 65535'],
  [{ LIVE_SOURCES: '1.5' }, 'LIVE_SOURCES is wrong: must be a whole number of at least 1'],
  [{ IRC_TRACK_SECONDS: '1' }, 'IRC_TRACK_SECONDS is wrong: must be a whole number of at least 10'],
  [{ NEWS_REFRESH_MINUTES: '0' }, 'NEWS_REFRESH_MINUTES is wrong: must be a number of minutes, at most 1440'],
  [{ SONG_REQUESTS: 'true' }, 'SONG_REQUESTS is wrong: must be on or off'],
  [{ ADMIN_EMAIL: 'me' }, 'ADMIN_EMAIL is wrong: must be an email address'],
  [{ AZURACAST_WEBHOOK_TOKEN: 'short' }, 'AZURACAST_WEBHOOK_TOKEN is wrong: must be 16 to 200 characters'],
])('rejects %j with the setting and the expected value', (env, line) => {
  expect(() => readConfig(env)).toThrow(`Setting ${line}`)
})

it.each(settingNames)('says in words which values %s takes', (name) => {
  let said = 'must be anything'
  try {
    readConfig({ [name]: '?' })
  } catch (error) {
    said = String(error)
  }
  expect(said).toMatch(/must be|missing/)
})

it.each(['RADIO_WEBHOOK', 'MODERATION_WEBHOOK'])('rejects %s_URL without a secret', (name) => {
  expect(() => readConfig({ [`${name}_URL`]: 'https://a.example' })).toThrow(
    `Settings ${name}_URL and ${name}_SECRET go together: one of them is missing`,
  )
})

describe('trusted proxies', () => {
  it('accepts addresses, networks and names of networks', () => {
    expect(readConfig({}).trustProxy).toEqual([])
    const given = 'loopback, 10.0.0.0/8,192.0.2.7 , ::1,fd00::/8, '
    expect(readConfig({ TRUST_PROXY: given }).trustProxy).toEqual([
      'loopback',
      '10.0.0.0/8',
      '192.0.2.7',
      '::1',
      'fd00::/8',
    ])
  })

  it.each(['banana', 'true', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', 'loopback/8', '/8'])(
    'rejects %s',
    (given) => {
      expect(() => readConfig({ TRUST_PROXY: `loopback,${given}` })).toThrow(/^Setting TRUST_PROXY is wrong: must be/)
    },
  )
})
