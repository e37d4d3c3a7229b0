/** Labels for the contract's keys that do not read well: 'saas_tech' is 'SaaS, technology'. */
const labels: Record<string, string> = {
  chat_on_website: 'Chat on my website',
  internal_knowledge: 'Search in our own knowledge',
  customer_support: 'Customer support',
  semantic_search: 'Semantic search',
  api_for_own_product: 'An API for my own product',
  just_trying: 'Just trying it out',
  personal_use: 'Personal use',
  ecommerce: 'E-commerce',
  saas_tech: 'SaaS, technology',
  real_estate: 'Real estate',
  non_profit_gov: 'Non-profit, government',
  founder_c_level: 'Founder, C-level',
  manager_director: 'Manager, director',
  developer_engineer: 'Developer, engineer',
  product_manager: 'Product manager',
  student_researcher: 'Student, researcher',
  search: 'Search engine',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  online_ads: 'Online ads',
  review_site: 'Review site',
}

export function labelOf(key: string): string {
  return labels[key] ?? key.charAt(0).toUpperCase() + key.slice(1)
}

/**
 * Converts the form to what the contract's schema expects: 'other' with its free text ('other' and 'boats' become
 * 'other:boats'), and goals as a list even if there is only one.
 */
export function withOtherText(form: FormData): FormData {
  const joined = new FormData()
  let goals = 0
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.endsWith('_other')) continue
    const text = form.get(`${name}_other`)
    const otherText = value === 'other' && typeof text === 'string' ? text.trim() : ''
    const key = name === 'goals' ? `goals[${goals++}]` : name
    joined.append(key, otherText ? `other:${otherText}` : value)
  }
  return joined
}
