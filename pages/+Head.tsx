import type { PageContextServer } from 'vike/types'
import { usePageContext } from 'vike-react/usePageContext'
import { createHead } from './head.ts'

/**
 * Renders the head of every page on the server; vike-react adds the title and description.
 */
export default function Head() {
  const pageContext = usePageContext()
  const { noindex, canonical, siteName, image, card, article, feeds, structuredData } = createHead(pageContext)
  const { brandStyles, iconsQuery } = pageContext as typeof pageContext &
    Pick<PageContextServer, 'brandStyles' | 'iconsQuery'>
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href={`/favicon.ico${iconsQuery}`} sizes="32x32" />
      <link rel="icon" href={`/favicon.svg${iconsQuery}`} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={`/apple-touch-icon.png${iconsQuery}`} />
      {brandStyles && <link rel="stylesheet" href={brandStyles} />}
      <link rel="manifest" href="/manifest.webmanifest" />
      {noindex && <meta name="robots" content="noindex" />}
      {canonical && <link rel="canonical" href={canonical} />}
      {feeds.map(({ type, title, href }) => (
        <link key={type} rel="alternate" type={type} title={title} href={href} />
      ))}
      <meta property="og:site_name" content={siteName} />
      <meta property="og:type" content={article ? 'article' : 'website'} />
      {canonical && <meta property="og:url" content={canonical} />}
      {article && (
        <>
          <meta property="article:published_time" content={article.published.toISOString()} />
          <meta property="article:modified_time" content={article.modified.toISOString()} />
          <meta property="article:section" content={article.section} />
        </>
      )}
      <meta property="og:image" content={image.url} />
      <meta property="og:image:type" content={image.type} />
      <meta property="og:image:width" content={String(image.width)} />
      <meta property="og:image:height" content={String(image.height)} />
      <meta property="og:image:alt" content={image.alt} />
      <meta name="twitter:card" content={card} />
      {structuredData.map((json) => (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: jsonForScript escapes everything that could end the script
        <script key={json} type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
      ))}
    </>
  )
}
