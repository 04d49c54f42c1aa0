const isSource = import.meta.url.endsWith('.ts')

/** The program of the image processes, and the arguments with which Node runs it. */
export const imageProgram = {
  url: new URL(isSource ? './image.child.ts' : './image.child.mjs', import.meta.url),
  execArgv: isSource ? ['--import', 'tsx'] : [],
}
