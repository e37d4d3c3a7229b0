import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Manuals of Debian, below /usr/share: made by Sphinx, mdBook, DocBook, Texinfo, AsciiDoc, Doxygen and by hand. */
export const manuals = [
  'doc/python3.11/html',
  'doc/python-django-doc/html',
  'doc/python-sqlalchemy-doc/html',
  'doc/python-flask-doc/html',
  'doc/postgresql-doc-15/html',
  'doc/apache2-doc/manual/en',
  'doc/apache2-doc/manual/fr',
  'doc/octave/octave.html',
  'doc/octave/liboctave.html',
  'doc/git-doc',
  'doc/nodejs/api',
  'doc/rust-doc/html/book',
  'doc/rust-doc/html/reference',
  'doc/rust-doc/html/rust-by-example',
  'doc/rust-doc/html/std/io',
  'doc/developers-reference',
  'doc/debian/FAQ',
  'libreoffice/help/de/text',
  'R/doc/manual',
]

/** The folder of a manual among unpacked packages; undefined if it is not there. */
export function folderOf(manual: string, packages: readonly string[]): string | undefined {
  return packages.map((folder) => join(folder, 'usr/share', manual)).find((folder) => existsSync(folder))
}

/** Paths of the pages of a manual, without its indexes. */
export function htmlFilesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && !/(?:^|\/)(?:genindex|print)\b/.test(path))
    .sort()
}
