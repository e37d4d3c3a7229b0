import type { WidgetOptions } from '../options'

const dark = `--surface:#16202a;--sunken:#0f1820;--line:#2b3844;--line-strong:#485866;--text:#ecf1f4;--text-soft:#a4b1bb;--soft:#1c3440;--strong:#7cd3ee`

/** The panel's rules. They are set as a constructed style sheet, which needs no permission of the page's policy. */
export function panelStyle({ mode, position, theme }: WidgetOptions): string {
  const place =
    mode === 'inline'
      ? 'position:relative;width:100%;height:560px'
      : `position:fixed;z-index:2147483000;${position}:20px;top:24px;bottom:88px;margin-top:auto;width:384px;max-width:calc(100% - 40px);max-height:600px`
  return `.panel{--surface:#fff;--sunken:#f3f6f8;--line:#dde3e8;--line-strong:#8795a1;--text:#1d2731;--text-soft:#566470;--soft:#e3f4f9;--strong:#00566e;${place};box-sizing:border-box;display:flex;flex-direction:column;overflow:hidden;border:1px solid var(--line);border-radius:18px;background:var(--surface);color:var(--text);font:14px/1.5 system-ui,"Segoe UI",Roboto,Arial,sans-serif;text-align:start;box-shadow:0 12px 32px -8px #0004,0 2px 6px #0002}
${theme === 'dark' ? `.panel{${dark}}` : theme === 'auto' ? `@media(prefers-color-scheme:dark){.panel{${dark}}}` : ''}
[hidden]{display:none!important}
*,*::before{box-sizing:border-box}
button,input,textarea{font:inherit;color:inherit}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{display:flex;gap:6px;align-items:center;padding:12px 12px 12px 16px;border-bottom:1px solid var(--line)}
header div{flex:1;min-width:0}
h2{margin:0;font-size:15px;font-weight:630;overflow-wrap:anywhere}
h3{margin:8px 0 4px;font-size:14px}
small{display:block;font-size:12px;color:var(--text-soft)}
.icon{width:32px;height:32px;padding:0;border:0;border-radius:8px;background:none;color:var(--text-soft);font-size:16px}
.icon:hover,.tools button:hover{background:var(--sunken)}
.tabs{display:flex;gap:4px;padding:8px 16px 0}
.tabs button{padding:4px 10px;border:0;border-radius:8px;background:none;color:var(--text-soft)}
.tabs [aria-selected=true]{background:var(--soft);color:var(--strong);font-weight:600}
.log{flex:1;overflow:auto;padding:16px;display:flex;flex-direction:column;gap:14px;overflow-wrap:anywhere}
.retry{align-self:flex-start}
.me{align-self:flex-end;max-width:82%;padding:8px 13px;border-radius:16px 16px 4px 16px;background:var(--accent);color:var(--sitelore-on-color,#fff);white-space:pre-wrap}
.it{max-width:96%}
.it p{margin:0 0 8px;white-space:pre-line}
.it ul,.it ol{margin:0 0 8px;padding-inline-start:20px}
.it a{color:var(--strong)}
code{font:13px ui-monospace,Menlo,monospace}
pre{margin:0 0 8px;padding:8px 10px;overflow:auto;border-radius:8px;background:var(--sunken)}
.cite{display:inline-block;min-width:17px;padding:0 4px;border-radius:5px;background:var(--soft);color:var(--strong);font-size:11px;font-weight:650;line-height:16px;text-align:center;text-decoration:none;vertical-align:2px}
ul.cards{display:grid;gap:6px;margin:6px 0 0;padding:0;list-style:none}
.cards a{display:flex;gap:8px;padding:7px 10px;border:1px solid var(--line);border-radius:10px;color:var(--text);font-size:13px;text-decoration:none}
.cards a:hover{border-color:var(--line-strong)}
.cards b{color:var(--strong)}
mark{background:var(--soft);color:inherit;font-weight:600}
.tools{display:flex;flex-wrap:wrap;gap:2px;margin:6px 0 0 -8px}
.tools button{padding:4px 8px;border:0;border-radius:7px;background:none;color:var(--text-soft);font-size:13px}
.tools [aria-pressed=true]{color:var(--strong);font-weight:600}
.tools input{flex:1;min-width:140px}
.chips{display:flex;flex-wrap:wrap;gap:6px}
.chips button,.contact,.retry{padding:5px 12px;border:1px solid var(--line-strong);border-radius:99px;background:var(--surface);color:var(--text);font-size:13px;text-decoration:none}
.line{display:flex;gap:8px;align-items:flex-end;padding:12px;border-top:1px solid var(--line)}
textarea,input{flex:1;min-width:0;padding:9px 12px;border:1px solid var(--line-strong);border-radius:12px;background:var(--surface);font-size:16px;line-height:1.4;resize:none}
.line button{width:40px;height:42px;padding:0;border:0;border-radius:12px;background:var(--accent);color:var(--sitelore-on-color,#fff);font-size:18px}
.note{color:var(--text-soft)}
@media(max-width:480px){.panel{${mode === 'inline' ? '' : 'inset:0;width:auto;max-width:none;max-height:none;margin:0;border:0;border-radius:0'}}.panel:not([hidden])~.bubble{display:none}}
@media(prefers-reduced-motion:no-preference){.wait{animation:wait 1.2s infinite alternate}@keyframes wait{to{opacity:.75}}}`
}
