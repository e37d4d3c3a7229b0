/** Something in the environment stops the start. `message` is one line that names the variable and what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
