"""All verbs together."""

from __future__ import annotations

from paberki.cli import (
    annotate,
    build,
    columns,
    crawl,
    decode,
    demo,
    doctor,
    eval,  # noqa: A004 - the verb is called so
    explain,
    export,
    extract,
    identify,
    import_,
    index,
    keywords,
    new,
    ngrams,
    peek,
    plan,
    query,
    reduce,
    report,
    seeds,
    settings,
    similar,
    sketch,
    sql,
    stages,
    status,
    train,
    trend,
    tune,
    wordlist,
)
from paberki.cli.frame import new_app

app = new_app()

for module in (
    new, import_, crawl, build, index, plan, status, peek, explain, query, wordlist, ngrams, keywords, sketch, similar, trend,
    sql, export, report, columns, stages, settings, doctor, demo, decode,
    extract, identify, annotate, reduce, tune,
):  # fmt: skip
    app.command(name=module.__name__.rpartition(".")[2].strip("_"), cls=getattr(module, "COMMAND", None))(module.run)
app.add_typer(seeds.app, name="seeds")
app.add_typer(train.app, name="train")
app.add_typer(eval.app, name="eval")
