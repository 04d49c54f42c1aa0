const MAX_LENGTH = 2000
/** Escaped, each of these is six characters at least; in the name of a host their time grows with their square. */
const MAX_FOREIGN = MAX_LENGTH / 6

/**
 * An address as it stands in a feed, made absolute.
 * @returns null for what is no http or https address, or too long to be one
 */
export function webAddress(written: string | undefined, base: URL): URL | null {
  const lines = (written ?? '').slice(0, 4 * MAX_LENGTH).split(/[\r\n]+/)
  const joined = lines.map((line) => line.trim()).join('')
  // Escaped once more than the document asks for; no query means this.
  const text = joined.replace(/&(?:amp;|#38;)+/gi, '&')
  if (text === '' || text.startsWith('#')) return null
  if ((text.match(/[\u0080-\uffff]/g)?.length ?? 0) > MAX_FOREIGN) return null
  // People forget the scheme, and mean no folder named `www.example.org`.
  const address = /^www\.[^\s/?#]+\.[a-z]{2,}(?:[/?#:]|$)/i.test(text) ? `${base.protocol}//${text}` : text
  // An exception costs ten times as much, and a hostile feed has many addresses.
  if (!URL.canParse(address, base)) return null
  const url = new URL(address, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.username = ''
  url.password = ''
  return url.href.length > MAX_LENGTH ? null : url
}

/** The same, for what is an address only if it says so itself: a name that may be one. */
export const absoluteAddress = (written: string | undefined, base: URL) =>
  /^\s*https?:\/\//i.test(written ?? '') ? webAddress(written, base) : null

/** Families of parameters that say by which newsletter, campaign or button somebody came. */
const COUNTING_FAMILIES = [
  'utm_',
  'mtm_',
  'matomo_',
  'piwik_',
  'pk_campaign',
  'pk_kwd',
  'pk_keyword',
  'pk_source',
  'pk_medium',
  'pk_content',
  'hsa_',
  '_hs',
  '__hs',
  'at_medium',
  'at_campaign',
  'at_custom',
  'oly_',
  'vero_',
  'wt.mc_',
  'wt_mc_',
  'itm_',
  'ns_source',
  'ns_mchannel',
  'ns_campaign',
  'ga_source',
  'ga_medium',
  'ga_campaign',
  'fb_action_',
  'fb_ref',
  'fb_source',
]
/** Names that mean something on some sites (`ref`, `source`, `id`, `from`, `cid`) are not among them. */
const COUNTING = new Set(
  (
    'fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid ' +
    'mkt_tok s_cid s_kwcid cmpid ncid icid ocid smid ref_src ref_url xtor ftag guccounter guce_referrer ' +
    'guce_referrer_sig _ga _gl _openstat action_object_map action_type_map action_ref_map spm_id_from rb_clickid ' +
    'srsltid epik mibextid trkcampaign'
  ).split(' '),
)

/** `partner=rss&emc=rss`, and Medium's `source=rss-----…`: said to whoever reads the feed, not to the page. */
const saysFeed = (name: string, value: string) =>
  ((name === 'partner' || name === 'emc') && /^rss/i.test(value)) || (name === 'source' && /^rss-{2,}/i.test(value))

function counts(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2)
  const key = name.toLowerCase()
  return COUNTING.has(key) || COUNTING_FAMILIES.some((family) => key.startsWith(family)) || saysFeed(key, value)
}

/**
 * One spelling for one page: without its fragment, unless the page is made of it (`#!`), and without parameters that
 * only count clicks. What remains keeps its order and its escapes.
 */
export function canonical(address: URL): string {
  const url = new URL(address)
  if (!url.hash.startsWith('#!')) url.hash = ''
  const parameters = url.search.slice(1).split('&')
  url.search = parameters.filter((parameter) => parameter !== '' && !counts(parameter)).join('&')
  return url.href
}
