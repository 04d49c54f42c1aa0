/** Head of every page. The theme is set by a small blocking file, before anything is painted. */
export default function Head() {
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <script src="/early.js" />
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  )
}
