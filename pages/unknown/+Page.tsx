/** Never shown: its data sends everybody to the error page. */
export default function UnknownPage() {
  return null
}
