export interface ManualPage {
  name: string
  title: string
  description: string
  html: string
  /** The headings of the second level. */
  sections: { id: string; title: string }[]
}

/** A section of the manual that has all words of a query. */
export interface ManualHit {
  page: string
  /** Id of its heading; null for the beginning of the page. */
  section: string | null
  title: string
  excerpt: string
}

/** The product's manual, which the app shows and the crawler reads. */
export interface ManualPages {
  list(): { name: string; title: string }[]
  page(name: string): ManualPage | null
  /** The best sections first. */
  search(query: string): ManualHit[]
  sitemap(): string
}
