import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * The files of the repository in these folders, with those that are not committed yet.
 * @param {string[]} folders
 */
export function listFiles(folders) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], { encoding: 'utf8' })
  return listed.split('\n').filter((file) => file && existsSync(file))
}
