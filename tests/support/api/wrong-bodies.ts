// Values that a field must not take.

const long = (length: number) => 'x'.repeat(length + 1)
const neverText = [7, true, [], {}, ['text']]
const optionalText = (most: number) => [long(most), 'a\0b', ...neverText]
const requiredText = (most: number) => [undefined, null, '', '   ', ...optionalText(most)]
/** Control characters, and text that shows nothing. */
const neverLine = ['\0', 'a\nb', 'a\u0007b', '\u009b', 'a\u2028b', '\u200b', '\u202e']
const requiredName = (most: number) => [...requiredText(most), ...neverLine]
/** Of a field that keeps what is stored if it is absent. */
const optionalName = (most: number) => [null, '', '   ', ...optionalText(most), ...neverLine]
const wrongDays = [true, 'many', [], [5], {}, 0, 731, 1.5]
const neverNumber = [null, true, false, '', ' ', 'many', [], [5], {}]
const choices = [undefined, null, '', 'nothing of these', 7, [], {}]

/** Of the fields that are a source's options. */
const sourceOptions: Record<string, unknown[]> = {
  include: [null, 7, true, {}, [7], [null], ['docs/**'], 'docs/**', ['/'.padEnd(300, 'x')], Array(51).fill('/x/**')],
  include_selectors: [null, 7, true, {}, [[]], ['div['], ['p:nowhere'], Array(21).fill('p')],
  exclude_selectors: [null, 7, true, {}, [[]], ['a{}'], 'main\n..x'],
  exclude: [null, 7, true, {}, [[]], ['https://lamps.example/docs/**'], 'old'],
  max_pages: [true, 'many', 0, -1, 1.5, 50_001, '1e999', [], {}],
  max_depth: [false, 'deep', -1, 0.5, 51, [], {}],
  refresh_interval: ['', null, 'hourly', 7, [], {}],
  crawl_delay_ms: [true, 'fast', -1, 1.5, 60_001, [], {}],
  headers: [
    7,
    true,
    [],
    ['X-Key: value'],
    'no colon',
    { 'X-Key': 7 },
    { 'X-Key': null },
    { 'X-Key': 'two\nlines' },
    { 'X-Key': 'größer' },
    { 'X-Key': 'x'.repeat(4_097) },
    { 'two words': 'value' },
    { '': 'value' },
    { Host: 'other.example' },
    { 'Content-Length': '7' },
    { 'user-agent': 'another' },
    { 'Sec-Fetch-Mode': 'navigate' },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'value'])),
  ],
  username: optionalText(256),
  password: optionalText(256),
  clear_headers: ['yes', 7, [], {}],
}

const newSource = {
  name: [null, ...optionalText(64), ...neverLine],
  type: [...choices, 'file'],
  url: [undefined, null, '', 'lamps.example', 'ftp://lamps.example/', 'http://me:secret@lamps.example/', 'https://'],
  ...sourceOptions,
}

type Wrong = Record<string, unknown[]>

/** Values that each field of a body must not take, by the operation, for each of its examples. */
export const wrongBodies: Record<string, (Wrong | undefined)[]> = {
  createOrganization: [{ name: requiredName(32), entity_name: [null, ...optionalText(48), ...neverLine] }],
  updateOrganization: [
    {
      name: optionalName(32),
      entity_name: [null, ...optionalText(48), ...neverLine],
      default_agent_provider: ['', 'nobody', 7, [], {}],
      default_agent_model: optionalText(64),
      default_agent_provider_key: optionalText(512),
      visitor_daily_share: [...neverNumber, 0, 101, 1.5, -1],
      thread_days: wrongDays,
      visitor_data_days: wrongDays,
      run_days: wrongDays,
      audit_days: [...neverNumber, 89, 731, 90.5],
      replaces_old_threads: [null, 'true', 'on', 1, [], {}],
      requires_second_factor: [null, 'true', 'on', 1, [], {}],
    },
  ],
  eraseVisitor: [{ by: [...choices, 'name'], value: [undefined, null, '', ' ', 7, [], {}, long(255)] }],
  onboardOrganization: [
    {
      goals: [undefined, null, [], 'chat_on_website', [7], [''], {}, [long(70)], Array(21).fill('other')],
      sector: [...choices, `other:${long(64)}`],
      position: choices,
      size: choices,
      source: choices,
    },
  ],
  updateMember: [{ role: [...choices, 'owner', 'Admin'] }],
  createInvitation: [
    { email: [...choices, 'grace@', 'a@b.c\nd', `${long(250)}@example.com`], role: [...choices, 'owner'] },
  ],
  createCollection: [{ name: requiredName(64), description: optionalText(512) }],
  updateCollection: [
    {
      name: requiredName(64),
      description: optionalText(512),
      agent_model: optionalText(64),
      agent_prompt: optionalText(20_000),
    },
  ],
  // The host of a domain may stand without its scheme.
  createSource: [undefined, newSource],
  previewSource: [newSource],
  previewPage: [{ page: [undefined, null, '', 'lamps.example', 'ftp://lamps.example/'], ...sourceOptions }],
  updateSource: [{ name: requiredName(64).filter((value) => value !== undefined), ...sourceOptions }],
  refreshSource: [{ crawl: [null, 'true', 1, [], {}], auto: [null, 'true', 0, [], {}] }],
  createAgent: [
    {
      name: requiredName(64),
      description: optionalText(512),
      useDefaults: [null, 'false', 'true', '', 0, 1, [], {}],
      collectionId: neverText,
    },
  ],
  updateAgent: [
    { name: optionalName(64), description: optionalText(512) },
    {
      provider: [null, '', 'nobody', 7, true, [], {}],
      provider_key: optionalText(512),
      model: [null, '', '   ', ...optionalText(64)],
      prompt: optionalText(20_000),
      fragment_similarity: [...neverNumber, 0, 1.1],
      fragment_limit: [...neverNumber, 0, 26, 1.5],
      max_total_output_tokens: [...neverNumber, 511, 4097],
      history_limit: [...neverNumber, -2, 7],
      message_length: [...neverNumber, 255, 2049],
      translate_questions: [null, '', 'yes', 1, [], {}],
      suggestions: ['When?', 7, true, {}, [7], [null], [long(120)], ['a\nb'], Array(7).fill('When?')],
    },
  ],
  suggestQuestions: [{ from: [null, '', 'nobody', 7, [], {}] }],
  linkAgent: [{ collectionId: [undefined, '', '  ', ...neverText] }],
  saveKeychain: [
    {
      regenerate: [null, 'both', '', 1, [], {}],
      allowedIps: ['203.0.113', '10.0.0.0/33', 'shop.example', ...neverText],
      allowedOrigins: ['shop.example', 'https://shop.example/help', '*', ...neverText],
      rateLimit: [...neverNumber, 0, 6001, 1.5],
      dailyMessages: ['many', 0, -1, 1_000_001, 1.5, [], {}],
    },
  ],
  chat: [
    undefined,
    {
      prompt: [undefined, null, '', ' \n ', long(2048), ...neverText],
      threadId: ['', ' ', long(128), ...neverText],
      createdAt: neverText,
    },
  ],
}
