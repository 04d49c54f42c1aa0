const isSource = import.meta.url.endsWith('.ts')

/** The program of the image processes, and its arguments of Node. It has its own file, because tests replace it. */
export const imageProgram = {
  url: new URL(isSource ? './image.child.ts' : './image.child.mjs', import.meta.url),
  execArgv: isSource ? ['--import', 'tsx'] : [],
}
