/** A page with its subject in title, heading and text, and with links to these addresses. */
export function subjectPage(subject: string, links: string[] = []): string {
  return `<html lang="en"><title>${subject}</title><main><h1>${subject}</h1><p>All about ${subject}.</p></main>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</html>`
}
