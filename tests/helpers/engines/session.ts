/** A command of W3C WebDriver, with the parameters of its URL and its body. */
export type Commands = {
  Navigate: { url: string }
  Back: object
  Refresh: object
  ExecuteScript: { script: string; args: unknown[] }
  ElementClick: { id: string }
  ElementSendKeys: { id: string; text: string }
  PerformActions: { actions: object[] }
  SetWindowRect: { width: number; height: number }
}

/** An open browser with one window. */
export type Session = {
  /** @throws Error with the driver's message */
  send: <Name extends keyof Commands>(name: Name, params: Commands[Name]) => Promise<unknown>
  close: () => Promise<void>
}
