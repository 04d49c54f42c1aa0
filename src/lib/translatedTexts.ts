/** The elements that a translator put in the place of text nodes, by these nodes. */
const replacements = new WeakMap<Node, Element>()

/**
 * Lets React change a page that the browser translates. Translators replace each text node by a `font` element. React
 * would fail to remove such a node, or to insert something before it, and then clear the page (react#11538).
 */
export function followTranslators(): void {
  const observer = new MutationObserver((records) => {
    for (const { type, target, removedNodes, addedNodes, previousSibling } of records) {
      // The new text takes its place again, and is translated again.
      if (type === 'characterData' && !target.parentNode) replacements.get(target)?.replaceWith(target)
      const [text] = removedNodes
      const replacement = addedNodes[0] ?? previousSibling
      if (!(text instanceof Text) || !(replacement instanceof Element) || replacement.localName !== 'font') continue
      replacements.set(text, replacement)
      observer.observe(text, { characterData: true })
    }
  })
  observer.observe(document.body, { childList: true, subtree: true })

  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    return insertBefore.call(this, node, findPlace(this, next)) as T
  }
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = findPlace(this, child)
    if (place) removeChild.call(this, place)
    return child
  }
}

/** Returns what stands for the child now: itself, its replacement, or an element around it. Null if nothing does. */
function findPlace(parent: Node, child: Node | null): Node | null {
  let place = child?.parentNode ? child : child && (replacements.get(child) ?? null)
  while (place && place.parentNode !== parent) place = place.parentNode
  return place
}
