"""Tables drawn as shades with numbers: accuracies, correlations."""

from typing import TYPE_CHECKING, Any

from gardenpath.reporting.figures.charts.style import ACCURACY, data_of, in_order, shortened, styled

if TYPE_CHECKING:
    import polars


def accuracy_heat_map(table: "polars.DataFrame", rows: str) -> Any:
    """Accuracy as a table, darker where higher: rows by models (Warstadt et al., table 3).

    Columns: model, `rows`, accuracy.
    """
    import altair

    table = shortened(table, ("model", rows))
    models = in_order(table, "model")
    base = altair.Chart(data_of(table)).encode(
        x=altair.X(
            "model:N",
            title=None,
            sort=models,
            axis=altair.Axis(orient="top", labelAngle=-40, ticks=False, domain=False),
        ),
        y=altair.Y(f"{rows}:N", title=None, sort=None, axis=altair.Axis(ticks=False, domain=False)),
    )
    shade = altair.Color(
        "accuracy:Q", title=ACCURACY, scale=altair.Scale(domain=[0, 1], scheme="blues"),
        legend=altair.Legend(labelExpr="format(100 * datum.value, '.0f')"),
    )  # fmt: skip
    cells = base.mark_rect(stroke="white").encode(color=shade)
    numbers = base.mark_text(fontSize=10).encode(
        text=altair.Text("per_cent:N"),
        color=altair.condition("datum.accuracy > 0.72", altair.value("white"), altair.value("black")),
    )
    # A number per cell as text: a missing one stays empty instead of becoming 0.
    chart = (cells + numbers).transform_calculate(
        per_cent="isValid(datum.accuracy) ? format(100 * datum.accuracy, '.1f') : '–'"
    )
    return styled(chart.properties(width=altair.Step(52), height=altair.Step(17)))


def agreement_figure(table: "polars.DataFrame", *, title: str = "Correlation") -> Any:
    """How alike two models find suites hard, as a heat map with numbers (Warstadt et al., table 4).

    Columns: model_a, model_b, r.
    """
    import altair

    table = shortened(table, ("model_a", "model_b"))
    models = in_order(table, "model_a")
    negative = (table["r"] < 0).any()
    scale = (
        altair.Scale(domain=[-1, 0, 1], scheme="blueorange", reverse=True)
        if negative
        else (altair.Scale(domain=[0, 1], scheme="blues"))
    )
    flat = altair.Axis(ticks=False, domain=False)
    base = (
        altair.Chart(data_of(table))
        .transform_calculate(shown="isValid(datum.r) ? format(datum.r, '.2f') : '–'")
        .encode(
            x=altair.X(
                "model_b:N", title=None, sort=models, axis=altair.Axis(ticks=False, domain=False, labelAngle=-40)
            ),
            y=altair.Y("model_a:N", title=None, sort=models, axis=flat),
        )
    )
    cells = base.mark_rect(stroke="white").encode(color=altair.Color("r:Q", title=title, scale=scale))
    numbers = base.mark_text(fontSize=11).encode(
        text="shown:N", color=altair.condition("abs(datum.r) > 0.75", altair.value("white"), altair.value("black"))
    )
    return styled((cells + numbers).properties(width=altair.Step(40), height=altair.Step(32)))
