import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestCli, type TestCli } from '../../support/cli'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampSite, startSite } from '../../support/sites/site'

describe('ask', () => {
  let provider: Provider
  let cli: TestCli
  let without: TestCli

  beforeAll(async () => {
    provider = await startProvider({ keys: ['sk-good'] })
    without = await createTestCli()
    const site = await lampSite()
    await without.run(['index', `${site.origin}/help/battery`])
    await site.close()
    cli = await createTestCli({
      DATA_DIR: without.dataDir,
      OPENAI_API_KEY: 'sk-good',
      OPENAI_BASE_URL: provider.baseUrl,
    })
  })
  afterAll(() => provider.close())

  it('names the variables to set if there is no key', async () => {
    const { code, out, err } = await without.run(['ask', 'How do I change the battery?'])
    expect([code, out]).toEqual([1, ''])
    for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'DEEPSEEK_API_KEY'])
      expect(err).toContain(name)
    expect(provider.requests).toHaveLength(0)
  })

  it('creates an agent and prints its answer with the cited sources', async () => {
    provider.next({ kind: 'answer', text: 'Turn the base ring to the left [1].' })
    const { code, out, err } = await cli.run(['ask', 'How', 'do', 'I', 'change', 'the', 'battery?'])
    expect(err).toMatch(/^Thread [\w-]{20,} \(continue it with --thread\)\n$/)
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Turn the base ring to the left \[1\]\.\n\nSources:\n {2}\[1\] Changing the battery of a Storm 40 {2}http:\S+\/help\/battery\S*\n$/,
    )
  })

  it('reuses the agent, and prints JSON', async () => {
    const { code, json } = await cli.run(['ask', 'How do I change the battery?', '--agent', 'Local', '--json'])
    expect(code).toBe(0)
    const { answer, sources, thread_id, verdict } = json() as {
      answer: string
      verdict: string
      sources: { number: number; title: string }[]
      thread_id: string
    }
    expect(answer).toMatch(/\[1\]\(http:\S+\/help\/battery\S*\)/)
    expect(sources[0]).toMatchObject({ number: 1, title: 'Changing the battery of a Storm 40' })
    expect(thread_id).toMatch(/^[\w-]{20,}$/)
    expect(verdict).toBe('answered')
  })

  it('continues a thread with its agent', async () => {
    const first = await cli.run(['ask', 'How do I change the battery?'])
    const thread = /^Thread (\S+) /.exec(first.err)?.[1] ?? ''
    const second = await cli.run(['ask', 'Where do I bring it when it is empty?', '--thread', thread, '--json'])
    expect(second.code).toBe(0)
    expect(second.json().thread_id).toBe(thread)
    expect(provider.requests.at(-1)?.messages.map(({ content }) => content)).toContain('How do I change the battery?')
  })

  it('exits with 2 for a thread that does not exist, and for another agent of one', async () => {
    const missing = await cli.run(['ask', 'Anything?', '--thread', 'nowhere'])
    expect([missing.code, missing.out]).toEqual([2, ''])
    expect(missing.err).toContain("There is no thread 'nowhere'.")
    const second = await cli.run(['ask', 'Anything?', '--thread', 'nowhere', '--agent', 'Local'])
    expect(second.code).toBe(2)
    expect(second.err).toContain('Omit --agent and --collection.')
  })

  it('prints no reasoning without a tag, but on a terminal, which shows text as it comes', async () => {
    const answer = { kind: 'answer' as const, deltas: ['Secret ', 'thoughts.', '</think>', 'Turn the ring.'] }
    provider.next(answer)
    const piped = await cli.run(['ask', 'How do I change the battery?'])
    expect([piped.code, piped.out]).toEqual([0, 'Turn the ring.\n'])
    provider.next(answer)
    const terminal = await cli.run(['ask', 'How do I change the battery?'], { isTerminal: true })
    expect([terminal.code, terminal.out]).toEqual([
      0,
      "Secret thoughts.\n\nThe text above is the model's reasoning. Its answer:\n\nTurn the ring.\n",
    ])
  })

  it('prints no sources for an answer that cites none', async () => {
    const { code, out } = await cli.run(['ask', 'Hello!'])
    expect([code, out]).toEqual([0, 'Hello! What would you like to know?\n'])
  })

  it('says that it found nothing', async () => {
    const site = await startSite({ '/care': '<title>Care</title><p>Wash the quokka lamp.</p>' })
    const { run } = await createTestCli({ OPENAI_API_KEY: 'sk-good', OPENAI_BASE_URL: provider.baseUrl })
    await run(['index', `${site.origin}/care`])
    await site.close()
    const { code, out } = await run(['ask', 'Who won the regatta in Venice in winter?'])
    expect([code, out]).toEqual([0, "I couldn't find anything about this.\n"])
  })

  it('exits with 1 if the provider fails, and prints only the answer to stdout', async () => {
    const wrong = await createTestCli({
      DATA_DIR: without.dataDir,
      OPENAI_API_KEY: 'sk-bad',
      OPENAI_BASE_URL: provider.baseUrl,
    })
    const { code, out, err } = await wrong.run(['ask', 'How do I change the battery?', '--json'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('key')
    expect(err).not.toContain('sk-bad')
  })

  it('exits with 1 for a flagged question', async () => {
    const { code, out, err } = await cli.run(['ask', 'How do I do something harmful?'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('We do not allow potentially harmful content, please change your prompt!')
  })

  it('keeps the part of an answer that was written before it is stopped', async () => {
    provider.next({ kind: 'stall', words: 3 })
    const stopping = new AbortController()
    let shown = ''
    const stopped = cli.run(['ask', 'How do I change the battery?'], {
      signal: stopping.signal,
      isTerminal: true,
      out: (part) => {
        shown += part
        if (shown.split(' ').length >= 3) stopping.abort()
      },
    })
    const { err } = await stopped
    expect(err).toContain('Stopped before the end of the answer.')
    expect(err).toMatch(/Thread [\w-]{20,} /)
    expect(shown.trim().split(' ')).toHaveLength(3)
  })

  it('exits with 1 if the plan has no answers left', async () => {
    const { json } = await cli.run(['organizations', 'list', '--json'])
    const [organization] = json().organizations as { id: string; plan: string }[]
    await cli.run(['plans', 'set', 'tiny', '--messages', '1'])
    await cli.run(['plans', 'assign', 'tiny', '--organization', organization?.id ?? ''])
    const { code, out, err } = await cli.run(['ask', 'How do I change the battery?'])
    await cli.run(['plans', 'assign', organization?.plan ?? '', '--organization', organization?.id ?? ''])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/messages/)
    expect((await cli.run(['ask', 'How do I change the battery?'])).code).toBe(0)
  })

  it('exits with 2 for an agent that does not exist', async () => {
    const { code, err } = await cli.run(['ask', 'Anything?', '--agent', 'Nobody'])
    expect(code).toBe(2)
    expect(err).toMatch(/There is no agent 'Nobody'\. There are:\n {2}Local {2}\(/)
  })
})
