/** Evaluates React before the router starts. Between both, the browser can handle input. */
export default async function evaluateReact(): Promise<void> {
  await import('react-dom/client')
  await new Promise((resolve) => setTimeout(resolve))
}
